"""What `torch.export` traces otherwise than PyTorch computes, each put right while it traces."""
