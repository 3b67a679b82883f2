"""What the names of mutating ops do not say: irregular twins, and ops that have none, with why."""

from __future__ import annotations

RANDOM = "it draws random numbers, which TTIR cannot repeat as PyTorch does"
STORAGE = "it changes which storage the tensor has, or its size, which a value cannot say"
LISTS = "it writes a list of tensors"
STATISTICS = "it writes several of its operands"

REFUSED: dict[str, str] = {
    **dict.fromkeys(
        (
            "_fill_mem_eff_dropout_mask_",
            "_philox_normal_",
            "_philox_uniform_",
            "_sobol_engine_ff_",
            "_sobol_engine_initialize_state_",
            "_sobol_engine_scramble_",
        ),
        RANDOM,
    ),
    **dict.fromkeys(
        ("_resize_output_", "resize_", "resize_as_", "resize_as_sparse_", "set_", "set_data"),
        STORAGE,
    ),
    **dict.fromkeys(
        (
            "_coalesced_",
            "_mkldnn_transpose_",
            "copy_sparse_to_sparse_",
            "sparse_resize_",
            "sparse_resize_and_clear_",
        ),
        "sparse and MKLDNN tensors are not supported",
    ),
    "rrelu_with_noise_": RANDOM,
    **dict.fromkeys(
        (
            "_amp_foreach_non_finite_check_and_unscale_",
            "_fused_adagrad_",
            "_fused_adam_",
            "_fused_adamw_",
            "_fused_sgd_",
        ),
        LISTS,
    ),
    "_amp_update_scale_": STATISTICS,
}
"""In-place ops (without their overload) that no value-semantic op stands for."""

OTHER_WRITERS: dict[str, str] = {
    "_cummax_helper": STATISTICS,
    "_cummin_helper": STATISTICS,
    "_flash_attention_forward_no_dropout_inplace": STATISTICS,
    "_fused_moving_avg_obs_fq_helper": STATISTICS,
    "fused_moving_avg_obs_fake_quant": STATISTICS,
    "rrelu_with_noise": RANDOM,
    "set_data": STORAGE,
}
"""Ops that write operands though their names do not say so, other than batch normalization."""

METADATA_ONLY = frozenset({"detach_", "requires_grad_", "retain_grad", "record_stream"})
"""Ops that write nothing that a program can read; they return their first operand, if anything."""

VIEW_IN_PLACE: dict[str, str] = {
    "as_strided_": "as_strided",
    "squeeze_": "squeeze",
    "squeeze_.dim": "squeeze.dim",
    "squeeze_.dims": "squeeze.dims",
    "swapaxes_": "swapaxes",
    "swapdims_": "swapdims",
    "t_": "t",
    "transpose_": "transpose.int",
    "unsqueeze_": "unsqueeze",
}
"""Ops that make their operand another view of its storage."""

AUGMENTED = {
    "__iand__": "__and__",
    "__ilshift__": "__lshift__",
    "__ior__": "__or__",
    "__irshift__": "__rshift__",
    "__ixor__": "__xor__",
}
NOT_IN_PLACE = frozenset({"_no_grad_embedding_renorm_"})

IRREGULAR_TWINS = {
    "bernoulli_.float": "bernoulli.p",
    "float_power_.Scalar": "float_power.Tensor_Scalar",
    "float_power_.Tensor": "float_power.Tensor_Tensor",
    "floor_divide_.Tensor": "floor_divide",
    "ldexp_": "ldexp.Tensor",
    "normal_": "normal_functional",
    "pow_.Scalar": "pow.Tensor_Scalar",
    "pow_.Tensor": "pow.Tensor_Tensor",
}

# Overloads that write their last operands without being called `out` or `..._out`, and the
# overload that returns the same.
OUT_OVERLOADS: dict[str, str] = {
    "OutScalar_Other": "Scalar_Other",
    "OutScalar_Self": "Scalar_Self",
    "OutTensor": "Tensor",
    "dim_max": "dim",
    "dim_min": "dim",
    "dim_values": "dim",
    "out_mode": "Tensor_mode",
    "out_rcond_tensor": "rcond_tensor",
    "out_tol_tensor": "tol_tensor",
    "values_stable": "stable",
    **dict.fromkeys(
        (
            "L",
            "Q",
            "U",
            "X",
            "eigenvalues",
            "eigvals",
            "grad_input",
            "inverse",
            "out",
            "out_",
            "output",
            "result",
            "sign",
            "values",
        ),
        "",
    ),
}
IRREGULAR_OUT = {
    **{
        f"{name}.out": "Tensor"
        for name in (
            "_add_relu",
            "add",
            "copysign",
            "div",
            "divide",
            "ldexp",
            "mul",
            "multiply",
            "sub",
            "subtract",
            "true_divide",
        )
    },
    **{f"{name}.out": "dim" for name in ("all", "any", "frobenius_norm", "mean", "std", "var")},
    **{f"{name}.all_out": "" for name in ("all", "any")},
    **{f"{name}.out": "other" for name in ("max", "min")},
    **{f"{name}.unary_out": "" for name in ("max", "min")},
    "arange.start_out": "start_step",
    "geqrf.a": "",
    "mean.dtype_out": "",
    "norm.dtype_out": "ScalarOpt_dim_dtype",
    "norm.out": "ScalarOpt_dim",
    "prod.int_out": "dim_int",
    "range.out": "step",
    "sum.IntList_out": "dim_IntList",
}

FACTORY_OUT = frozenset(
    {
        "arange.out",
        "arange.start_out",
        "eye.m_out",
        "eye.out",
        "full.out",
        "linspace.Scalar_Tensor_out",
        "linspace.Tensor_Scalar_out",
        "linspace.Tensor_Tensor_out",
        "linspace.out",
        "logspace.Scalar_Tensor_out",
        "logspace.Tensor_Scalar_out",
        "logspace.Tensor_Tensor_out",
        "logspace.out",
        "new_full.out",
        "new_ones.out",
        "new_zeros.out",
        "ones.out",
        "range.out",
        "range.out_",
        "zeros.out",
    }
)
"""`out=` ops whose functional twin takes dtype, layout, device and pin_memory as well."""

REFUSED_OUT: dict[str, str] = {
    **dict.fromkeys(
        (
            "bernoulli",
            "multinomial",
            "normal",
            "rand",
            "rand_like",
            "randint",
            "randint_like",
            "randn",
            "randn_like",
            "randperm",
            "rrelu_with_noise",
        ),
        RANDOM,
    ),
    **dict.fromkeys(
        (
            "_batch_norm_with_update",
            "_fused_moving_avg_obs_fq_helper",
            "_native_batch_norm_legit",
            "_amp_update_scale",
        ),
        STATISTICS,
    ),
    **dict.fromkeys(
        (
            "_cudnn_init_dropout_state",
            "_efficientzerotensor",
            "_empty_affine_quantized",
            "_empty_per_channel_affine_quantized",
            "_slow_conv2d_backward",
            "_sparse_coo_tensor_with_dims",
            "_sparse_coo_tensor_with_dims_and_tensors",
            "_to_copy",
            "adaptive_avg_pool3d_backward",
            "bartlett_window",
            "blackman_window",
            "empty",
            "empty_permuted",
            "empty_like",
            "empty_quantized",
            "empty_strided",
            "fft_fftfreq",
            "fft_rfftfreq",
            "from_file",
            "full_like",
            "hamming_window",
            "hann_window",
            "kaiser_window",
            "new_empty",
            "new_empty_strided",
            "ones_like",
            "scalar_tensor",
            "sparse_coo_tensor",
            "tril_indices",
            "triu_indices",
            "zeros_like",
        ),
        "its `out=` form has no op of the same arguments that returns the result",
    ),
}
"""Ops (without their overload) whose `out=` variants no value-semantic op stands for."""
