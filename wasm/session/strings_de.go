package session

var wordsDE = map[string]string{}
var phrasesDE = map[string]string{}
