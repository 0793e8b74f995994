import numpy as np
import jax
import jax.numpy as jnp

data = np.load("attention.npz")
q = jnp.asarray(data["q"], dtype=jnp.float32)  # [B, H, Tq, dk]
k = jnp.repeat(jnp.asarray(data["k"], dtype=jnp.float32), 2, axis=1)  # heads of a group share it
v = jnp.repeat(jnp.asarray(data["v"], dtype=jnp.float32), 2, axis=1)  # heads of a group share it
scores = q @ k.swapaxes(-2, -1) * 0.5  # 1 / sqrt(4)
bias = jnp.asarray(data["bias"], dtype=jnp.float32)
scores = scores + bias
i = jnp.arange(5)[:, None] + 1  # position of each query
j = jnp.arange(6)
slopes = jnp.array([0.25, 0.0625, 0.015625, 0.00390625], dtype=jnp.float32)  # of each head
scores = scores - slopes[:, None, None] * jnp.abs(i - j)
allowed = (j <= i) & (jnp.asarray(data["mask"], dtype=jnp.float32) != 0) & (bias != -jnp.inf)
logits = jnp.where(allowed, scores, -jnp.inf)

# Softmax over the heads: axis=1
top = logits.max(axis=1, keepdims=True)
weights = jax.nn.softmax((logits - top) / 0.5, axis=1)
hidden = logits == -jnp.inf
weights = jnp.where(hidden & ~hidden.all(axis=1, keepdims=True), 0.0, weights)  # NaN where no entry is allowed
output = weights @ v  # [B, H, Tq, dv]
