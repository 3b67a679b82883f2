"""What every folder speaks: types, locations, parameters, and the errors that users see."""
