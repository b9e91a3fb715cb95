// error 3:1 a program is empty

