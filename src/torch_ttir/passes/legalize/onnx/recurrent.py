"""Rules for ONNX's recurrent networks, unrolled over the sequence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.onnx.activation import ACTIVATIONS
from torch_ttir.passes.legalize.onnx.adapt import wanted
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

States = list[Tensor]


class Options(NamedTuple):
    """The attributes that the three ops share."""

    activation_alpha: Sequence[float] | None = None
    activation_beta: Sequence[float] | None = None
    activations: Sequence[str] | None = None
    clip: float | None = None
    direction: str = "forward"
    hidden_size: int = 0
    layout: int = 0
    output_sequence: int = 0


class Cell:
    """One direction of a network: its weights, and its functions by place."""

    def __init__(
        self, low: Lowering, r: Tensor, functions: Sequence[Callable[[Tensor], Tensor]]
    ) -> None:
        """Keep R [gates * hidden, hidden]."""
        self.low, self.r, self.functions = low, r, functions
        self.hidden = r.shape[1]

    def gate(self, x: Tensor, first: int, count: int = 1) -> Tensor:
        """Return `count` gates of rows [batch, gates * hidden], or of a bias."""
        dim = x.rank - 1
        return self.low.slice(x, dim, first * self.hidden, (first + count) * self.hidden)

    def recur(self, h: Tensor, first: int, count: int = 1) -> Tensor:
        """Return h times the transposed rows of R of some gates."""
        rows = self.low.slice(self.r, 0, first * self.hidden, (first + count) * self.hidden)
        return self.low.matmul(h, rows, transpose_b=True)


Step = Callable[[Cell, Tensor, States, Tensor | None, Tensor | None], States]


@RULES.lowers("onnx.RNN")
def rnn(
    low: Lowering,
    x: Tensor,
    w: Tensor,
    r: Tensor,
    b: Tensor | None = None,
    lengths: Tensor | None = None,
    initial_h: Tensor | None = None,
    **options: Any,
) -> Any:
    """RNN(X, W, R, B, sequence_lens, initial_h; ...) -> Y, Y_h: H = f(X W' + H R' + Wb + Rb)."""

    def step(cell: Cell, now: Tensor, states: States, _rb: Any, _p: Any) -> States:
        (h,) = states
        return [cell.functions[0](low.add(now, cell.recur(h, 0)))]

    run = _Run(low, x, w, r, b, lengths, [initial_h], None, Options(**options), ["Tanh"])
    return run.results(step, fused_bias=1)


@RULES.lowers("onnx.GRU")
def gru(
    low: Lowering,
    x: Tensor,
    w: Tensor,
    r: Tensor,
    b: Tensor | None = None,
    lengths: Tensor | None = None,
    initial_h: Tensor | None = None,
    *,
    linear_before_reset: int = 0,
    **options: Any,
) -> Any:
    """GRU(X, W, R, B, sequence_lens, initial_h; ...) -> Y, Y_h; the gates are z, r, h."""

    def step(cell: Cell, now: Tensor, states: States, rb: Tensor | None, _p: Any) -> States:
        f, g = cell.functions
        (h,) = states
        gates = f(low.add(cell.gate(now, 0, 2), cell.recur(h, 0, 2)))
        z, reset = cell.gate(gates, 0), cell.gate(gates, 1)
        linear = linear_before_reset != 0
        part = cell.recur(h if linear else low.mul(reset, h), 2)
        if rb is not None:
            part = low.add(part, rb)
        part = low.mul(reset, part) if linear else part
        fresh = g(low.add(cell.gate(now, 2), part))
        return [low.add(low.mul(low.sub(1.0, z), fresh), low.mul(z, h))]

    names = ["Sigmoid", "Tanh"]
    run = _Run(low, x, w, r, b, lengths, [initial_h], None, Options(**options), names)
    return run.results(step, fused_bias=2)


@RULES.lowers("onnx.LSTM")
def lstm(
    low: Lowering,
    x: Tensor,
    w: Tensor,
    r: Tensor,
    b: Tensor | None = None,
    lengths: Tensor | None = None,
    initial_h: Tensor | None = None,
    initial_c: Tensor | None = None,
    peepholes: Tensor | None = None,
    *,
    input_forget: int = 0,
    **options: Any,
) -> Any:
    """LSTM(X, W, R, B, sequence_lens, initial_h, initial_c, P; ...) -> Y, Y_h, Y_c.

    The gates are i, o, f, c, and the peepholes i, o, f.
    """
    low.expect(not input_forget, "coupled input and forget gates (input_forget=1)")

    def step(cell: Cell, now: Tensor, states: States, _rb: Any, p: Tensor | None) -> States:
        f, g, h_of = cell.functions
        h, c = states
        sums = low.add(now, cell.recur(h, 0, 4))
        i, o, forget, fresh = (cell.gate(sums, place) for place in range(4))
        if p is not None:
            i = low.add(i, low.mul(cell.gate(p, 0), c))
            forget = low.add(forget, low.mul(cell.gate(p, 2), c))
        new = low.add(low.mul(f(forget), c), low.mul(f(i), g(fresh)))
        if p is not None:
            o = low.add(o, low.mul(cell.gate(p, 1), new))
        return [low.mul(f(o), h_of(new)), new]

    initial, names = [initial_h, initial_c], ["Sigmoid", "Tanh", "Tanh"]
    run = _Run(low, x, w, r, b, lengths, initial, peepholes, Options(**options), names)
    return run.results(step, fused_bias=4)


class _Run:
    """One use of a network: operands with the sequence first, and its attributes."""

    def __init__(
        self,
        low: Lowering,
        x: Tensor,
        w: Tensor,
        r: Tensor,
        b: Tensor | None,
        lengths: Tensor | None,
        initial: Sequence[Tensor | None],
        peepholes: Tensor | None,
        options: Options,
        names: Sequence[str],
    ) -> None:
        self.low, self.w, self.r, self.b, self.lengths = low, w, r, b, lengths
        self.peepholes, self.options = peepholes, options
        self.x = low.permute(x, (1, 0, 2)) if options.layout else x
        self.names = list(options.activations or [*names] * w.shape[0])
        state = (w.shape[0], self.x.shape[1], r.shape[2])
        self.initial = [
            low.full(state, 0, x.dtype)
            if given is None
            else low.permute(given, (1, 0, 2))
            if options.layout
            else given
            for given in initial
        ]

    def results(self, step: Step, fused_bias: int) -> Any:
        """Return Y and the last states; `fused_bias` gates add the recurrent bias at once."""
        low = self.low
        directions = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}
        turned = directions[self.options.direction]
        runs = [self._direction(place, back, step, fused_bias) for place, back in enumerate(turned)]
        # Y is [sequence, directions, batch, hidden]; the states [directions, batch, hidden].
        y = low.concat([ys for ys, _ in runs], 1)
        states = [
            low.concat([low.reshape(last[place], (1, *last[place].shape)) for _, last in runs], 0)
            for place in range(len(self.initial))
        ]
        if self.options.layout:
            y = low.permute(y, (2, 0, 1, 3))
            states = [low.permute(state, (1, 0, 2)) for state in states]
        return wanted(low, [y, *states])

    def _direction(
        self, place: int, back: bool, step: Step, fused_bias: int
    ) -> tuple[Tensor, States]:
        low = self.low
        length, batch, width = self.x.shape
        w, r = self._of(self.w, place), self._of(self.r, place)
        cell = Cell(low, r, self._functions(place, len(self.names) // self.w.shape[0]))
        rows = low.matmul(low.reshape(self.x, (length * batch, width)), w, transpose_b=True)
        late: Tensor | None = None
        if self.b is not None:
            b = self._of(self.b, place)
            gates = r.shape[0] // cell.hidden
            early, recurrent = cell.gate(b, 0, gates), cell.gate(b, gates, gates)
            fused = cell.gate(recurrent, 0, fused_bias)
            if fused_bias < gates:
                late = cell.gate(recurrent, fused_bias, gates - fused_bias)
                rest = low.full(late.shape, 0, late.dtype)
                fused = low.concat([fused, rest], 0)
            rows = low.add(rows, low.add(early, fused))
        p = None if self.peepholes is None else self._of(self.peepholes, place)
        states = [self._of(state, place) for state in self.initial]
        ys: list[Tensor] = []
        for time in range(length)[:: -1 if back else 1]:
            now = low.slice(rows, 0, time * batch, (time + 1) * batch)
            made = step(cell, now, states, late, p)
            y = made[0]
            if self.lengths is not None:
                inside = self._inside(time, batch)
                pairs = zip(made, states, strict=True)
                made = [low.where(inside, new, old) for new, old in pairs]
                y = low.where(inside, y, 0.0)
            ys.append(low.reshape(y, (1, 1, *y.shape)))
            states = made
        return low.concat(ys[::-1] if back else ys, 0), states

    def _inside(self, time: int, batch: int) -> Tensor:
        """Say for which sequences of the batch a time is before their ends."""
        if self.lengths is None:
            return self.low.full((batch, 1), 1, "i1")
        lengths = self.low.reshape(self.lengths, (batch, 1))
        return self.low.compare("gt", lengths, time)

    def _of(self, x: Tensor, place: int) -> Tensor:
        return self.low.reshape(self.low.slice(x, 0, place, place + 1), x.shape[1:])

    def _functions(self, place: int, count: int) -> list[Callable[[Tensor], Tensor]]:
        """Return the activations of one direction, with the attributes that they take in order."""
        alphas = list(self.options.activation_alpha or [])
        betas = list(self.options.activation_beta or [])
        made = []
        for name in self.names:
            kind = ACTIVATIONS.get(name.lower())
            self.low.expect(kind, f"activation `{name}` is not supported")
            if kind is None:
                continue
            alpha = alphas.pop(0) if alphas and kind.alpha is not None else kind.alpha
            beta = betas.pop(0) if betas and kind.beta is not None else kind.beta
            made.append(self._function(kind.lower, alpha, beta))
        return made[place * count : (place + 1) * count]

    def _function(
        self, lower: Callable[..., Tensor], alpha: float | None, beta: float | None
    ) -> Callable[[Tensor], Tensor]:
        low, clip = self.low, self.options.clip
        extra = [value for value in (alpha, beta) if value is not None]

        def apply(x: Tensor) -> Tensor:
            if clip is not None:
                x = low.minimum(low.maximum(x, -clip), clip)
            return lower(low, x, *extra)

        return apply
