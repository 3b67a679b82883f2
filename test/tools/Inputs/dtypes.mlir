func.func @main(%b: tensor<2xi1> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "b"}, %h: tensor<2xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "h"}, %i: tensor<2xi64> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "i"}, %u: tensor<2xui8> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "u"}, %state: tensor<2xf32> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "s"}) -> (tensor<2xi1>, tensor<2xbf16>, tensor<2xi64>, tensor<2x1xui8>, tensor<2xf32>) {
  %0:4 = "ttcore.load_cached"(%b, %h, %i, %u) {callee = @main_const_eval_0} : (tensor<2xi1>, tensor<2xbf16>, tensor<2xi64>, tensor<2xui8>) -> (tensor<2xi1>, tensor<2xbf16>, tensor<2xi64>, tensor<2x1xui8>)
  return %0#0, %0#1, %0#2, %0#3, %state : tensor<2xi1>, tensor<2xbf16>, tensor<2xi64>, tensor<2x1xui8>, tensor<2xf32>
}
func.func private @main_const_eval_0(%b: tensor<2xi1>, %h: tensor<2xbf16>, %i: tensor<2xi64>, %u: tensor<2xui8>) -> (tensor<2xi1>, tensor<2xbf16>, tensor<2xi64>, tensor<2x1xui8>) attributes {tt.function_type = "const_eval"} {
  %0 = "ttir.logical_not"(%b) : (tensor<2xi1>) -> tensor<2xi1>
  %1 = "ttir.neg"(%h) : (tensor<2xbf16>) -> tensor<2xbf16>
  %2 = "ttir.neg"(%i) : (tensor<2xi64>) -> tensor<2xi64>
  %3 = "ttir.reshape"(%u) {shape = [2 : i32, 1 : i32]} : (tensor<2xui8>) -> tensor<2x1xui8>
  return %0, %1, %2, %3 : tensor<2xi1>, tensor<2xbf16>, tensor<2xi64>, tensor<2x1xui8>
}
