exact <- list()
