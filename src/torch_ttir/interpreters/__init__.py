"""What Torch-dialect and TTIR ops mean, in PyTorch: the reference that numbers are judged by."""
