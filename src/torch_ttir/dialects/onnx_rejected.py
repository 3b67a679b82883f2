"""ONNX ops that TTIR cannot say, with the reasons, for the importer and for legalization."""

from __future__ import annotations

_DATA = "the shape of its result depends on the data"
_RANDOM = "its values are random, and no backend could be compared on them"
_STRINGS = "it works on strings, and TTIR has none"
_SEQUENCES = "it works on sequences, and TTIR has tensors only"
_TREES = "classical machine learning (ai.onnx.ml) has no ops in TTIR"

REASONS: dict[str, str] = {
    **dict.fromkeys(("NonMaxSuppression", "NonZero", "Unique"), _DATA),
    **dict.fromkeys(
        (
            *("Multinomial", "RandomNormal", "RandomNormalLike"),
            *("RandomUniform", "RandomUniformLike"),
        ),
        _RANDOM,
    ),
    **dict.fromkeys(
        (
            *("LabelEncoder", "RegexFullMatch", "StringConcat", "StringNormalizer"),
            *("StringSplit", "TfIdfVectorizer"),
        ),
        _STRINGS,
    ),
    **dict.fromkeys(
        (
            *("ConcatFromSequence", "SequenceAt", "SequenceConstruct", "SequenceEmpty"),
            *("SequenceErase", "SequenceInsert", "SequenceLength", "SequenceMap"),
            "SplitToSequence",
        ),
        _SEQUENCES,
    ),
    "Optional": "it makes an optional value, and TTIR has tensors only",
    **dict.fromkeys(
        (
            *("ai.onnx.ml.ArrayFeatureExtractor", "ai.onnx.ml.Binarizer"),
            *("ai.onnx.ml.CategoryMapper", "ai.onnx.ml.DictVectorizer"),
            *("ai.onnx.ml.FeatureVectorizer", "ai.onnx.ml.Imputer", "ai.onnx.ml.LabelEncoder"),
            *("ai.onnx.ml.LinearClassifier", "ai.onnx.ml.LinearRegressor"),
            *("ai.onnx.ml.Normalizer", "ai.onnx.ml.OneHotEncoder", "ai.onnx.ml.SVMClassifier"),
            *("ai.onnx.ml.SVMRegressor", "ai.onnx.ml.Scaler", "ai.onnx.ml.TreeEnsemble"),
            *("ai.onnx.ml.TreeEnsembleClassifier", "ai.onnx.ml.TreeEnsembleRegressor"),
            "ai.onnx.ml.ZipMap",
        ),
        _TREES,
    ),
    "ImageDecoder": "it decodes image files",
    "ai.onnx.preview.training.Gradient": "it asks for derivatives; export the backward pass",
}
"""Why an op cannot be said, by its domain (none for the default one) and type."""
