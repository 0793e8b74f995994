"""The other programs' side of the benchmark: one timed repetition for each line on standard input.

Answers "have MODULE ..." first ("fast_blas" among them where matrix products do not run on the
reference BLAS), then for each request the seconds it took, or "-1" where it cannot
be done. Threads come from the first argument, the size of the picture from the next two.
"""

import itertools
import sys
import time

threads, width, height = (int(argument) for argument in sys.argv[1:4])

modules = {}
for name in ("numpy", "torch", "matplotlib"):
    try:
        modules[name] = __import__(name)
    except ImportError:
        pass
if modules:  # what was loaded with them
    with open("/proc/self/maps", encoding="utf-8") as maps:
        loaded = maps.read()
    if any(name in loaded for name in ("openblas", "mkl_", "libblis", "libatlas")):
        modules["fast_blas"] = None
np = modules.get("numpy")
torch = modules.get("torch")


def seconds(work, warm):
    """Time of one call, after an untimed one where `warm`."""
    if warm:
        work()
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def make_softmax(dim):
    logits = torch.randn(2, 8, 1024, 1024)
    out = torch.empty_like(logits)
    return lambda: torch.softmax(logits, dim, out=out)


def make_attention():
    q, k, v = (torch.randn(2, 8, 1024, 64) for _ in range(3))
    hidden = torch.ones(1024, 1024, dtype=torch.bool).triu(1)

    def attention():
        scores = q @ k.transpose(-2, -1)
        scaled = scores * 64**-0.5
        masked = scaled.masked_fill(hidden, float("-inf"))
        weights = torch.softmax(masked, -1)
        return weights @ v

    return attention


TITLES = ("query", "key", "batch", "head")


def softmax(logits, axis, temperature):
    tempered = logits / np.float32(temperature)
    with np.errstate(invalid="ignore"):
        exponentials = np.exp(tempered - tempered.max(axis, keepdims=True))
        return exponentials / exponentials.sum(axis, keepdims=True)


def make_maps(is_tuned):
    """Four maps with their row sums under a new temperature; the scores are kept.

    Plain: what one writes first. The softmax of the tensor over each axis, and a figure plotted anew.
    Tuned: what one can make of it. Only what is looked at is computed, and artists get new data.
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    rng = np.random.default_rng(1)
    q, k = (rng.standard_normal((2, 8, 512, 64), dtype=np.float32) for _ in range(2))
    logits = q @ k.swapaxes(-2, -1) / np.float32(8)
    logits[..., np.triu(np.ones((512, 512), bool), 1)] = -np.inf
    figure = plt.figure(figsize=(width / 100, height / 100), dpi=100)
    rows = np.arange(512)

    def plot(weights, title, place):
        axes = figure.add_subplot(2, 2, place)
        image = axes.imshow(weights, vmin=0, vmax=1)
        axes.set(title=title, xlabel="keys", ylabel="queries")
        figure.colorbar(image, ax=axes)
        (sums,) = axes.plot(weights.sum(-1) * 100, rows)
        return image, sums

    def plain(temperature):
        figure.clear()
        for place, (title, axis) in enumerate(zip(TITLES, (-2, -1, 0, 1)), 1):
            plot(softmax(logits, axis, temperature)[0, 1], title, place)
        figure.canvas.draw()

    if is_tuned:
        kept = [plot(np.zeros((512, 512)), title, n) for n, title in enumerate(TITLES, 1)]

    def tuned(temperature):
        looked_at = (
            softmax(logits[0, 1], 0, temperature),
            softmax(logits[0, 1], 1, temperature),
            softmax(logits[:, 1], 0, temperature)[0],
            softmax(logits[0], 0, temperature)[1],
        )
        for (image, sums), weights in zip(kept, looked_at):
            image.set_data(weights)
            sums.set_xdata(weights.sum(-1) * 100)
        figure.canvas.draw()

    draw = tuned if is_tuned else plain
    temperatures = itertools.cycle(np.linspace(0.5, 1.5, 17))
    return lambda: draw(next(temperatures))


makers = {
    "softmax": lambda dim: make_softmax(int(dim)),
    "attention": make_attention,
    "maps": lambda how: make_maps(how == "tuned"),
}
needed = {"softmax": "torch", "attention": "torch", "maps": "matplotlib"}
made = {}

if torch is not None:
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
print("have", *modules, flush=True)
for line in sys.stdin:
    task, *arguments = line.split()
    if needed[task] not in modules:
        print(-1, flush=True)
        continue
    key = line.strip()
    if key not in made:
        made[key] = makers[task](*arguments)
        made[key]()
    print(seconds(made[key], warm=task != "maps"), flush=True)
