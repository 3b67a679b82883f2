"""ONNX models to modules of `torch.operator "onnx.<op>"` on named arguments, without torch."""
