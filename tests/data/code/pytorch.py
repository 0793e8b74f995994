import numpy as np
import torch

data = np.load("attention.npz")
q = torch.from_numpy(data["q"]).float()  # [B, H, Tq, dk]
k = torch.from_numpy(data["k"]).float().repeat_interleave(2, dim=1)  # heads of a group share it
v = torch.from_numpy(data["v"]).float().repeat_interleave(2, dim=1)  # heads of a group share it
scores = q @ k.transpose(-2, -1) * 0.5  # 1 / sqrt(4)
bias = torch.from_numpy(data["bias"]).float()
scores = scores + bias
i = torch.arange(5)[:, None] + 1  # position of each query
j = torch.arange(6)
slopes = torch.tensor([0.25, 0.0625, 0.015625, 0.00390625], dtype=torch.float32)  # of each head
scores = scores - slopes[:, None, None] * torch.abs(i - j)
allowed = (j <= i) & (torch.from_numpy(data["mask"]).float() != 0) & (bias != -torch.inf)
logits = torch.where(allowed, scores, -torch.inf)

# Softmax over the heads: dim=1
top = logits.amax(dim=1, keepdim=True)
weights = torch.softmax((logits - top) / 0.5, dim=1)
hidden = logits == -torch.inf
weights = torch.where(hidden & ~hidden.all(dim=1, keepdim=True), 0.0, weights)  # NaN where no entry is allowed
output = weights @ v  # [B, H, Tq, dv]
