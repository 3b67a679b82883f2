"""From a user's program to a Torch-dialect module whose arguments are named and classified."""
