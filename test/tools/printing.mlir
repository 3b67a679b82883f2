// The flags for printing are mlir-opt's.

// RUN: tt-opt %s --cse --symbol-dce --mlir-print-ir-before-all 2>&1 | filecheck %s --check-prefix=BEFORE
// BEFORE: // -----// IR Dump Before cse: cse //----- //
// BEFORE-COUNT-2: "ttir.relu"
// BEFORE: // -----// IR Dump Before symbol-dce: symbol-dce //----- //

// RUN: tt-opt %s --cse --mlir-print-ir-after-all -o %t.mlir 2>&1 | filecheck %s --check-prefix=AFTER
// AFTER: // -----// IR Dump After cse: cse //----- //
// AFTER-COUNT-1: "ttir.relu"
// AFTER-NOT: "ttir.relu"

// RUN: tt-opt %s --cse --symbol-dce --mlir-print-ir-after=symbol-dce -o %t.mlir 2>&1 | filecheck %s --check-prefix=ONE
// ONE-NOT: IR Dump After cse
// ONE: // -----// IR Dump After symbol-dce: symbol-dce //----- //

// RUN: tt-opt %s --mlir-print-debuginfo | filecheck %s --check-prefix=LOCATIONS
// LOCATIONS: "ttir.relu"(%arg0) : (tensor<2x2xf32>) -> tensor<2x2xf32> loc(#[[LOC:.*]])
// LOCATIONS: #[[LOC]] = loc("model.py":7:4)

// RUN: tt-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC
// GENERIC: "func.func"() <{
// GENERIC: "func.return"(

// RUN: tt-opt %s --mlir-elide-elementsattrs-if-larger=2 | filecheck %s --check-prefix=ELIDED
// ELIDED: "ttir.constant"() {value = dense_resource<__elided__> : tensor<2x2xf32>}

// RUN: tt-opt %s --cse --dump-pass-pipeline --hoist-consteval=report --canonicalize=max-iterations=2 -o %t.mlir 2>&1 | filecheck %s --check-prefix=DUMP
// DUMP: builtin.module(cse,hoist-consteval{report=true},canonicalize{max-iterations=2})

// RUN: tt-opt %s --cse --mlir-timing -o %t.mlir 2>&1 | filecheck %s --check-prefix=TIMING
// TIMING: Execution time report
// TIMING: cse
// TIMING-NEXT: verify
// TIMING: tt-opt: reading {{.*}} s, passes {{.*}} s, writing {{.*}} s

// RUN: tt-opt %s --verify-each=none --cse --mlir-timing -o %t.mlir 2>&1 | filecheck %s --check-prefix=UNVERIFIED
// UNVERIFIED-NOT: verify

func.func @main(%arg0: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "ttir.relu"(%arg0) : (tensor<2x2xf32>) -> tensor<2x2xf32> loc("model.py":7:4)
  %1 = "ttir.relu"(%arg0) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = "ttir.add"(%0, %1) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = "ttir.constant"() {value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %4 = "ttir.add"(%2, %3) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %4 : tensor<2x2xf32>
}
