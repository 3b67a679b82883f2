"""Ops of PyTorch's database that do not pass all their float32 samples, each with the reason."""

from __future__ import annotations

REASONS: dict[str, str] = {
    "complex": "TTIR has no complex numbers",
    "data": "sizes, a branch or a returned number depend on the data, and a TTIR program has none",
    "factorization": "factorizations loop over rows and choose pivots, and TTIR has no loops",
    "singular values": "singular values and eigenvalues take an iteration, and TTIR has no loops",
    "recurrence": "the length of a sum or recurrence depends on the values of a tensor",
    "special function": "no short formula gives the function to float rounding",
    "sparse": "TTIR has no sparse tensors",
    "storage": "the op is about a tensor's storage, which a value does not have",
    "gradient": "a result that only the gradient reads",
    "exclusive or": "TTIR has no reduction by exclusive or",
}
"""What TTIR cannot express, by a short name; ops with another reason could be said, and are not."""

_BY_REASON: dict[str, str] = {
    "complex": """
        cdouble cfloat chalf complex fft.fft fft.fft2 fft.fftn fft.hfft fft.hfft2 fft.hfftn fft.ifft
        fft.ifft2 fft.ifftn fft.ihfft fft.ihfft2 fft.ihfftn fft.irfft fft.irfft2 fft.irfftn fft.rfft
        fft.rfft2 fft.rfftn linalg.eig linalg.eigvals polar stft view_as_complex
    """,
    "data": """
        __getitem__ allclose argwhere combinations corrcoef cov equal masked_select narrow
        nn.functional.ctc_loss nn.functional.gaussian_nll_loss nonzero
        repeat_interleave tensor_split unique unique_consecutive
    """,
    "factorization": """
        cholesky cholesky_inverse cholesky_solve geqrf linalg.cholesky linalg.cholesky_ex
        linalg.householder_product linalg.inv linalg.inv_ex linalg.ldl_factor linalg.ldl_factor_ex
        linalg.ldl_solve linalg.lstsq linalg.lstsq.grad_oriented linalg.lu linalg.lu_factor
        linalg.lu_factor_ex linalg.lu_solve linalg.matrix_power linalg.qr
        linalg.solve linalg.solve_ex linalg.solve_triangular linalg.tensorinv linalg.tensorsolve
        lu lu_solve lu_unpack matrix_exp ormqr pca_lowrank qr svd_lowrank triangular_solve
    """,
    "singular values": """
        linalg.cond linalg.eigh linalg.eigvalsh linalg.matrix_norm linalg.matrix_rank
        linalg.matrix_rank.hermitian linalg.norm linalg.norm.subgradients_at_zero linalg.pinv
        linalg.pinv.hermitian linalg.pinv.singular linalg.svd linalg.svdvals norm.nuc pinverse svd
    """,
    "recurrence": """
        igamma igammac polygamma.polygamma_n_0 polygamma.polygamma_n_1
        polygamma.polygamma_n_2
        polygamma.polygamma_n_3 polygamma.polygamma_n_4 special.chebyshev_polynomial_t
        special.chebyshev_polynomial_u special.chebyshev_polynomial_v special.chebyshev_polynomial_w
        special.hermite_polynomial_h special.hermite_polynomial_he special.laguerre_polynomial_l
        special.legendre_polynomial_p special.polygamma.special_polygamma_n_0
        special.shifted_chebyshev_polynomial_t special.shifted_chebyshev_polynomial_u
        special.shifted_chebyshev_polynomial_v special.shifted_chebyshev_polynomial_w special.zeta
    """,
    "special function": """
        special.airy_ai special.bessel_j0 special.bessel_j1 special.bessel_y0 special.bessel_y1
        special.modified_bessel_k0 special.modified_bessel_k1 special.scaled_modified_bessel_k0
        special.scaled_modified_bessel_k1
    """,
    "sparse": "sparse.mm.reduce sparse.sampled_addmm to_sparse",
    "storage": "resize_",
    "gradient": "_batch_norm_with_update",
    "exclusive or": "hash_tensor",
    "no rule has been written": "histogram histogramdd",
    "an empty batch without channels, which has no functional form": "nn.functional.batch_norm",
}

EXPECTED: dict[str, str] = {op: why for why, ops in _BY_REASON.items() for op in ops.split()}
"""Why some samples of an op are rejected: a key of `REASONS`, or a sentence of its own."""

INTEGERS: dict[str, str] = {
    "bincount": "data",
    "gcd": "recurrence",
    "lcm": "recurrence",
    "nn.functional.one_hot": "data",
}
"""The same for ops that have no float32 samples."""

_RANDOM = """
    bernoulli cauchy exponential geometric log_normal multinomial nn.functional.alpha_dropout
    nn.functional.dropout nn.functional.dropout2d nn.functional.dropout3d
    nn.functional.feature_alpha_dropout.with_train nn.functional.fractional_max_pool2d
    nn.functional.fractional_max_pool3d nn.functional.multi_head_attention_forward
    nn.functional.rrelu nn.functional.scaled_dot_product_attention normal normal.in_place
    normal.number_mean rand_like randint randint_like randn randn_like uniform
"""

RANDOM = frozenset(_RANDOM.split())
"""Ops whose numbers differ from call to call; test_rules_random.py tests their distributions."""

OPEN_INDICES = frozenset(["kthvalue"])
"""Ops whose second result may be the index of any of several equal elements, as integers have."""

UNINITIALIZED = frozenset(
    ["empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"]
)
"""Ops whose result is whatever was in memory."""

TOLERANCES: dict[str, tuple[float, float, str]] = {
    "nn.functional.conv3d": (1.3e-6, 1e-4, "sums that cancel: PyTorch errs by 6.6e-5, TTIR 7.0e-5"),
    "nn.functional.conv_transpose3d": (
        1.3e-6,
        2e-4,
        "sums that cancel: PyTorch errs by 9.9e-5, TTIR by 1.0e-4",
    ),
    "nn.functional.scaled_dot_product_attention": (
        1.3e-6,
        5e-5,
        "exponentials of scores near 100: PyTorch errs by 0.8e-5, TTIR by 1.6e-5",
    ),
}
"""`rtol` and `atol` for float32 where the defaults are too strict, with the errors in float64."""
