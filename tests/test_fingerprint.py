"""The fingerprint of weights: a hash of all of them, whoever holds them and however large they are."""

from copy import deepcopy

import pytest
import torch
from torch import nn

from attlas.subject.weights import PIECE, fingerprint_of

NUMBERS = 2 * PIECE // 4 + 5  # float32: two whole pieces, and a few more


class Held(nn.Module):
    def __init__(self, weight: torch.Tensor) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight, requires_grad=False)


@pytest.fixture(scope="module")
def large() -> Held:
    return Held(torch.rand(NUMBERS, generator=torch.Generator().manual_seed(0)))


def test_equal_weights_have_the_same_fingerprint_however_they_lie(large: Held) -> None:
    square = torch.arange(4_000_000.0).view(2000, 2000)
    assert fingerprint_of(deepcopy(large)) == fingerprint_of(large)
    assert fingerprint_of(Held(square.T)) == fingerprint_of(Held(square.T.contiguous()))
    assert fingerprint_of(Held(square.T)) != fingerprint_of(Held(square))


@pytest.mark.parametrize("place", [0, PIECE // 4 - 1, PIECE // 4, NUMBERS - 1])
def test_one_weight_that_differs_gives_another(large: Held, place: int) -> None:
    other = deepcopy(large)
    other.weight[place] = torch.nextafter(other.weight[place], torch.tensor(2.0))
    assert fingerprint_of(other) != fingerprint_of(large)


def test_the_order_of_pieces_and_the_names_of_weights_count(large: Held) -> None:
    piece = PIECE // 4
    turned = torch.cat([large.weight[piece : 2 * piece], large.weight[:piece], large.weight[2 * piece :]])
    assert fingerprint_of(Held(turned)) != fingerprint_of(large)
    assert fingerprint_of(nn.ModuleDict({"other": large})) != fingerprint_of(large)
