// error 2:1 a program is empty

