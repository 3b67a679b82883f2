"""Rules for ONNX ops: `torch.operator "onnx.<op>"`, inputs positional, attributes by keyword."""
