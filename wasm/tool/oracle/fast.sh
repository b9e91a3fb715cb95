#!/bin/sh -e
# fast.sh DIR makes a precompiled header of Stan's in DIR, and DIR/Makevars: with R_MAKEVARS_USER=DIR/Makevars
# a program compiles 2.5 times faster, at -O1. Times taken so are not those of a user.
mkdir -p "$1"
site=/usr/lib/R/site-library
cat > "$1/all.hpp" <<END
#include <stan/math/prim/mat/fun/Eigen.hpp>
#include <Rcpp.h>
#include <rstan/io/rlist_ref_var_context.hpp>
#include <rstan/io/r_ostream.hpp>
#include <rstan/stan_args.hpp>
#include <boost/integer/integer_log2.hpp>
#include <stan/model/model_header.hpp>
#include <rstan_next/stan_fit.hpp>
END
cat > "$1/Makevars" <<END
CXX14=g++ -include $1/all.hpp
CXX14FLAGS=-O1 -w
END
g++ -std=gnu++14 -I/usr/share/R/include -DNDEBUG -I$site/Rcpp/include -I$site/RcppEigen/include \
  -I$site/RcppEigen/include/unsupported -I$site/StanHeaders/include/src -I$site/StanHeaders/include \
  -I$site/RcppParallel/include -I$site/rstan/include -DEIGEN_NO_DEBUG -DBOOST_DISABLE_ASSERTS \
  -DBOOST_PENDING_INTEGER_LOG2_HPP -DSTAN_THREADS -DBOOST_NO_AUTO_PTR -D_REENTRANT -DRCPP_PARALLEL_USE_TBB=1 \
  -fpic -O1 -w -x c++-header "$1/all.hpp" -o "$1/all.hpp.gch"
