package stan

var jointFunctions = []builtin{}
