"""PyTorch and ONNX programs to TTIR, Tenstorrent's tensor dialect."""
