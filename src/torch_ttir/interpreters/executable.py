"""A function decoded to a flat list of steps, and the loop that runs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch_mlir import ir

from torch_ttir.interpreters.arguments import Argument, check_inputs
from torch_ttir.interpreters.step import Fault
from torch_ttir.ir.diagnostics import CompileError, error
from torch_ttir.ir.locations import user_frame

CachedCall = Callable[["Executable", list[Any]], list[Any]]
"""How a const-eval function is called on its operands."""


class Step(NamedTuple):
    """One op: where its operands are, where its results go, and which values nothing uses after.

    `run` takes the operands; `callee` is there instead for the call of a const-eval function.
    """

    run: Callable[..., Sequence[Any]]
    callee: Executable | None
    operands: tuple[Any, ...]
    results: tuple[int, ...]
    dead: tuple[int, ...]
    name: str
    location: ir.Location


@dataclass(frozen=True)
class Executable:
    """A decoded function.

    `names` has the name of each result, if any; `updates` the name of the argument whose new value
    it is, None for others.
    `template` holds the values known before a run: one slot a value, None in those to fill.
    `written` are the arguments that the function writes in place, `copied` those (and the
    constants) that have to be copied at each run so that nothing of the caller's is written.
    """

    name: str
    arguments: tuple[Argument, ...]
    steps: tuple[Step, ...]
    results: tuple[int, ...]
    names: tuple[str | None, ...]
    updates: tuple[str | None, ...]
    template: tuple[Any, ...]
    written: tuple[int, ...]
    copied: tuple[int, ...]

    def __call__(self, inputs: Sequence[Any], cached: CachedCall | None = None) -> list[Any]:
        """Return the function's results; see `run`."""
        return self.run(inputs, cached)[0]

    def run(
        self, inputs: Sequence[Any], cached: CachedCall | None = None
    ) -> tuple[list[Any], dict[int, torch.Tensor]]:
        """Return the results, and the new values of the arguments that are written in place.

        Nothing of `inputs` is changed. `cached` says how const-eval functions are called; by
        default they are evaluated. Raises `CompileError` for inputs that do not fit, and for an op
        that fails, with its location.
        """
        check_inputs(self.name, self.arguments, inputs)
        slots = list(self.template)
        slots[: len(inputs)] = inputs
        with torch.no_grad():
            for slot in self.copied:
                if isinstance(slots[slot], torch.Tensor):
                    slots[slot] = slots[slot].detach().clone()
            self._run_steps(slots, _evaluate if cached is None else cached)
        return [slots[slot] for slot in self.results], {slot: slots[slot] for slot in self.written}

    def _run_steps(self, slots: list[Any], cached: CachedCall) -> None:
        for step in self.steps:
            operands = [
                slots[operand]
                if type(operand) is int
                else None
                if operand is None
                else tuple([slots[item] for item in operand])
                for operand in step.operands
            ]
            try:
                callee = step.callee
                made = step.run(*operands) if callee is None else cached(callee, operands)
                _expect_count(made, step)
            except Fault as fault:
                raise _failed(step, str(fault)) from None
            except (RuntimeError, ValueError, TypeError, IndexError, ArithmeticError) as reason:
                # PyTorch's own errors: what the op was given cannot be computed.
                raise _failed(step, first_line(reason)) from reason
            for slot, value in zip(step.results, made, strict=True):
                slots[slot] = value
            del operands, made
            for slot in step.dead:
                slots[slot] = None


def _expect_count(made: Sequence[Any], step: Step) -> None:
    if len(made) != len(step.results):
        raise Fault(f"it makes {len(made)} values where it declares {len(step.results)}")


def _evaluate(function: Executable, operands: list[Any]) -> list[Any]:
    return function(operands)


def _failed(step: Step, message: str) -> CompileError:
    return error(message, user_frame(step.location), step.name)


def first_line(reason: BaseException) -> str:
    """Return the first line of an exception's message, or its class where it has none."""
    return str(reason).strip().splitlines()[0] if str(reason).strip() else type(reason).__name__
