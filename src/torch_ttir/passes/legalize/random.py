"""Rules for random tensors.

What PyTorch promises of these is a distribution, and numbers of its own generator to whoever seeds
it. `ttir.rand` has neither that generator nor a state: these rules give the distribution, from
uniform numbers of 24 bits, each op with a seed of its own, so that the numbers of two ops differ;
those of two runs of a program do not. Where the distribution has one value (a probability of 0 or
1), the result is PyTorch's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Number, Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

# The smallest uniform number of which a logarithm is taken: half a step of 24 bits.
_TINY = 2.0**-25


def uniform(low: Lowering, shape: Sequence[int], lower: float = 0.0, upper: float = 1.0) -> Tensor:
    """Return f32 values in [lower, upper), from a seed that no other op has."""
    shape = tuple(shape)
    return low.op("rand", [], shape, "f32", size=shape, low=lower, high=upper, seed=low.next_seed())


def standard_normal(low: Lowering, shape: Sequence[int]) -> Tensor:
    """Return f32 values of mean 0 and deviation 1, by Box and Muller's transform."""
    logarithm = low.unary("log", uniform(low, shape, _TINY, 1.0))
    radius = low.unary("sqrt", low.mul(logarithm, -2))
    return low.mul(radius, low.unary("cos", low.mul(uniform(low, shape), 2 * math.pi)))


def _in_declared_type(low: Lowering, x: Tensor) -> Tensor:
    return low.cast(low.broadcast(x, low.result.shape), low.result.dtype)


@RULES.lowers("aten.rand", "aten.rand.generator", "aten.rand_like")
def rand(low: Lowering, *_: Any) -> Tensor:
    """rand(SymInt[] size, ...) -> Tensor; uniform in [0, 1)."""
    return _in_declared_type(low, uniform(low, low.result.shape))


@RULES.lowers("aten.uniform")
def uniform_(low: Lowering, x: Tensor, lower: float = 0, upper: float = 1, *_: Any) -> Tensor:
    """uniform(Tensor self, float from=0, float to=1, *, Generator? generator) -> Tensor."""
    if lower == upper:
        return low.full(x.shape, lower, x.dtype)
    return _in_declared_type(low, uniform(low, x.shape, lower, upper))


@RULES.lowers("aten.randn", "aten.randn.generator", "aten.randn_like")
def randn(low: Lowering, *_: Any) -> Tensor:
    """randn(SymInt[] size, ...) -> Tensor; normal with mean 0 and deviation 1."""
    return _in_declared_type(low, standard_normal(low, low.result.shape))


@RULES.lowers("aten.normal_functional")
def normal_functional(low: Lowering, x: Tensor, mean: float = 0, std: float = 1, *_: Any) -> Tensor:
    """normal_functional(Tensor self, float mean=0, float std=1, *, Generator? generator)."""
    return normal(low, mean, std)


@RULES.lowers(
    "aten.normal.Tensor_Tensor",
    "aten.normal.Tensor_float",
    "aten.normal.float_Tensor",
    "aten.normal.float_float",
)
def normal(low: Lowering, mean: Tensor | float, std: Tensor | float = 1, *_: Any) -> Tensor:
    """normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator) -> Tensor."""
    made = standard_normal(low, low.result.shape)
    scaled = low.mul(made, low.scalar(std, "f32"))
    return _in_declared_type(low, low.add(scaled, low.scalar(mean, "f32")))


@RULES.lowers("aten.log_normal")
def log_normal(low: Lowering, x: Tensor, mean: float = 1, std: float = 2, *_: Any) -> Tensor:
    """log_normal(Tensor self, float mean=1, float std=2, *, Generator? generator) -> Tensor."""
    made = low.add(low.mul(standard_normal(low, x.shape), std), mean)
    return _in_declared_type(low, low.unary("exp", made))


@RULES.lowers("aten.exponential")
def exponential(low: Lowering, x: Tensor, rate: float = 1, *_: Any) -> Tensor:
    """exponential(Tensor self, float lambd=1, *, Generator? generator) -> Tensor."""
    logarithm = low.unary("log", uniform(low, x.shape, _TINY, 1.0))
    return _in_declared_type(low, low.mul(logarithm, -1 / rate))


@RULES.lowers("aten.geometric")
def geometric(low: Lowering, x: Tensor, p: float, *_: Any) -> Tensor:
    """geometric(Tensor self, float p, *, Generator? generator) -> Tensor; trials to a success."""
    if p == 1:
        return low.full(x.shape, 1, x.dtype)
    logarithm = low.unary("log", uniform(low, x.shape, _TINY, 1.0))
    return _in_declared_type(low, low.unary("ceil", low.mul(logarithm, 1 / math.log1p(-p))))


@RULES.lowers("aten.cauchy")
def cauchy(low: Lowering, x: Tensor, median: float = 0, sigma: float = 1, *_: Any) -> Tensor:
    """cauchy(Tensor self, float median=0, float sigma=1, *, Generator? generator) -> Tensor."""
    turn = low.mul(low.sub(uniform(low, x.shape), 0.5), math.pi)
    return _in_declared_type(low, low.add(low.mul(low.unary("tan", turn), sigma), median))


@RULES.lowers("aten.bernoulli")
def bernoulli(low: Lowering, x: Tensor, *_: Any) -> Tensor:
    """bernoulli(Tensor self, *, Generator? generator=None) -> Tensor; self has probabilities."""
    return bernoulli_tensor(low, x, x)


@RULES.lowers("aten.bernoulli.p", "valsem.aten.bernoulli.float")
def bernoulli_p(low: Lowering, x: Tensor, p: float = 0.5, *_: Any) -> Tensor:
    """bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor."""
    return low.cast(is_chosen(low, x.shape, p), x.dtype)


@RULES.lowers("aten.bernoulli.Tensor")
def bernoulli_tensor(low: Lowering, x: Tensor, p: Tensor, *_: Any) -> Tensor:
    """bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor."""
    return low.cast(is_chosen(low, x.shape, low.cast(p, "f32")), x.dtype)


def is_chosen(low: Lowering, shape: Sequence[int], p: Tensor | float) -> Tensor:
    """Return an i1 tensor whose elements are true with probability `p`, never for 0."""
    if p in (0, 1):
        return low.full(shape, p == 1, "i1")
    return low.compare("lt", uniform(low, shape), p)


@RULES.lowers("aten.randint", "aten.randint.generator", "aten.randint_like")
def randint(low: Lowering, first: Any, second: Any, *_: Any) -> Tensor:
    """randint(SymInt high, SymInt[] size, ...), randint_like(Tensor self, SymInt high, ...)."""
    return integers(low, 0, second if isinstance(first, Tensor) else first)


@RULES.lowers("aten.randint.low", "aten.randint.low_generator")
def randint_low(low: Lowering, lower: int, upper: int, *_: Any) -> Tensor:
    """randint.low(SymInt low, SymInt high, SymInt[] size, *, ...) -> Tensor."""
    return integers(low, lower, upper)


@RULES.lowers("aten.randint_like.low_dtype", "aten.random.from")
def random_from(low: Lowering, x: Tensor, lower: int, upper: int | None, *_: Any) -> Tensor:
    """random.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor."""
    return integers(low, lower, _largest(x.dtype) if upper is None else upper)


@RULES.lowers("aten.random.to")
def random_to(low: Lowering, x: Tensor, upper: int, *_: Any) -> Tensor:
    """random.to(Tensor self, int to, *, Generator? generator=None) -> Tensor."""
    return integers(low, 0, upper)


@RULES.lowers("aten.random")
def random(low: Lowering, x: Tensor, *_: Any) -> Tensor:
    """random(Tensor self, *, Generator? generator=None) -> Tensor."""
    return integers(low, 0, _largest(x.dtype))


def _largest(dtype: str) -> int:
    """Return the end of PyTorch's default range: all integers that the type holds exactly."""
    if is_float(dtype):
        return 1 << {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}[dtype]
    bits = int(dtype.lstrip("ui"))
    return 2 if dtype == "i1" else 1 << (bits if dtype.startswith("u") else bits - 1)


def integers(low: Lowering, lower: Number, upper: Number) -> Tensor:
    """Return whole numbers in [lower, upper) of the declared type; of 24 random bits."""
    span = int(upper) - int(lower)
    low.expect(span > 0, f"the range [{lower}, {upper}) has no elements")
    drawn = low.cast(uniform(low, low.result.shape), "f64")
    whole = low.minimum(low.unary("floor", low.mul(drawn, span)), span - 1)
    return _in_declared_type(low, low.cast(low.add(whole, int(lower)), "i64"))


@RULES.lowers("aten.randperm", "aten.randperm.generator")
def randperm(low: Lowering, size: int, *_: Any) -> Tensor:
    """randperm(SymInt n, *, ...) -> Tensor; the order of uniform numbers."""
    drawn = uniform(low, (size,))
    results = [drawn.info, drawn.info._replace(dtype="i64")]
    order = low.multi("sort", [drawn], results, dim=0, descending=False, stable=True)[1]
    return _in_declared_type(low, order)


@RULES.lowers("aten.multinomial")
def multinomial(low: Lowering, x: Tensor, count: int, replacement: bool = False, *_: Any) -> Tensor:
    """multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, ...) -> Tensor.

    Without replacement, the places of the largest quotients of weights by exponential numbers, as
    PyTorch has it; with it, the first places whose running sum exceeds a uniform number.
    """
    weights = low.cast(x, "f32")
    dim = x.rank - 1
    if replacement and count > 1:
        sums = low.unary("cumsum", weights, dim=dim)
        size = x.shape[dim]
        total = low.slice(sums, dim, size - 1, size)
        drawn = low.mul(uniform(low, low.result.shape), total)
        passed = low.compare(
            "le",
            low.reshape(sums, (*x.shape[:dim], 1, size)),
            low.reshape(drawn, (*low.result.shape, 1)),
        )
        places = low.reduce("sum", low.cast(passed, "i64"), [dim + 1], False)
        return low.minimum(places, size - 1)
    times = low.unary("neg", low.unary("log", uniform(low, x.shape, _TINY, 1.0)))
    scores = low.div(weights, times)
    results = [low.result._replace(dtype="f32"), low.result]
    return low.multi("topk", [scores], results, k=count, dim=dim, largest=True, sorted=True)[1]


RULES.rejects("aten.hash_tensor", "TTIR has no reduction by exclusive or")
