# Stan 2.21 reads arrays in the old spelling, and its `~` drops constants, which an evidence needs. old_spelling
# rewrites a program of today: array[N] real x becomes real x[N], y ~ normal(m, s) becomes
# target += normal_lpdf(y | m, s), and T[a, b] becomes the logarithm of the normaliser.

counts <- c("bernoulli", "bernoulli_logit", "bernoulli_logit_glm", "beta_binomial", "binomial", "binomial_logit",
            "categorical", "categorical_logit", "hypergeometric", "multinomial", "neg_binomial", "neg_binomial_2",
            "neg_binomial_2_log", "neg_binomial_2_log_glm", "ordered_logistic", "ordered_probit", "poisson",
            "poisson_log", "poisson_log_glm")

without_comments <- function(code) {
  code <- gsub("/\\*.*?\\*/", " ", gsub("//[^\n]*", "", code), perl = TRUE)
  gsub("[ \t]+\n", "\n", code)
}

# closing finds the bracket that closes the one at `from`.
closing <- function(chars, from) {
  depth <- 0
  for (i in from:length(chars)) {
    if (chars[i] %in% c("(", "[", "{")) depth <- depth + 1
    if (chars[i] %in% c(")", "]", "}")) depth <- depth - 1
    if (depth == 0) return(i)
  }
  stop("a bracket is not closed")
}

# comma splits text at its first comma outside of brackets.
comma <- function(text) {
  chars <- strsplit(text, "")[[1]]
  depth <- cumsum((chars %in% c("(", "[")) - (chars %in% c(")", "]")))
  at <- which(chars == "," & depth == 0)[1]
  trimws(c(substr(text, 1, at - 1), substr(text, at + 1, nchar(text))))
}

# truncated is the logarithm of the probability between the bounds of T[lower, upper].
truncated <- function(name, args, bounds, discrete) {
  b <- comma(bounds)
  bar <- if (nzchar(args)) paste0(" | ", args) else ""
  low <- if (discrete) paste0("(", b[1], ") - 1") else b[1]
  cdf <- function(x) paste0(name, "_lcdf(", x, bar, ")")
  if (nzchar(b[1]) && nzchar(b[2])) return(paste0("log_diff_exp(", cdf(b[2]), ", ", cdf(low), ")"))
  if (nzchar(b[2])) return(cdf(b[2]))
  paste0(name, "_lccdf(", low, bar, ")")
}

# statement rewrites what stands left and right of one `~`.
statement <- function(left, right, code) {
  keep <- ""
  repeat { # loops and conditions before the statement
    word <- regmatches(left, regexpr("^\\s*(for|if|while)\\s*\\(|^\\s*else\\b", left))
    if (length(word) == 0) break
    end <- nchar(word)
    if (grepl("\\($", word)) end <- closing(strsplit(left, "")[[1]], end)
    keep <- paste0(keep, substr(left, 1, end))
    left <- substr(left, end + 1, nchar(left))
  }
  blank <- regmatches(left, regexpr("^\\s*", left))
  right <- trimws(right)
  name <- sub("\\s*\\(.*", "", gsub("\n", " ", right))
  open <- regexpr("\\(", right)
  close <- closing(strsplit(right, "")[[1]], open)
  args <- trimws(substr(right, open + 1, close - 1))
  rest <- trimws(substr(right, close + 1, nchar(right)))
  if (name == "std_normal") {
    name <- "normal"
    args <- "0, 1"
  }
  discrete <- name %in% counts || grepl(paste0("\\b", name, "_lpmf\\s*\\("), code)
  bar <- if (nzchar(args)) paste0(" | ", args) else ""
  out <- paste0("target += ", name, if (discrete) "_lpmf(" else "_lpdf(", trimws(left), bar, ")")
  if (nzchar(rest)) out <- paste0(out, " - ", truncated(name, args, gsub("^T\\s*\\[|\\]$", "", rest), discrete))
  paste0(keep, blank, out, ";")
}

old_spelling <- function(code) {
  code <- without_comments(code)
  type <- "((?:int|real|vector|row_vector|matrix|[a-z_]+)(?:\\s*<[^>]*>)?(?:\\s*\\[[^\\]]*\\])?)"
  code <- gsub("array\\s*\\[([,\\s]*)\\]\\s*([a-z_]+)", "\\2[\\1]", code, perl = TRUE)
  code <- gsub(paste0("array\\s*\\[([^\\]]*)\\]\\s*", type, "\\s+(\\w+)"), "\\2 \\3[\\1]", code, perl = TRUE)
  code <- gsub("\\bgp_exp_quad_cov\\b", "cov_exp_quad", gsub("\\babs\\(", "fabs(", code))
  repeat {
    at <- regexpr("~", code, fixed = TRUE)
    if (at < 0) return(code)
    chars <- strsplit(code, "")[[1]]
    from <- at
    depth <- 0
    while (depth > 0 || !(chars[from - 1] %in% c(";", "{", "}"))) {
      from <- from - 1
      depth <- depth + (chars[from] %in% c(")", "]")) - (chars[from] %in% c("(", "["))
    }
    to <- at + regexpr(";", substr(code, at, nchar(code)), fixed = TRUE) - 1
    new <- statement(substr(code, from, at - 1), substr(code, at + 1, to - 1), code)
    code <- paste0(substr(code, 1, from - 1), new, substr(code, to + 1, nchar(code)))
  }
}
