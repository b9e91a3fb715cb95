package stan

func (p *Program) priors(out *Compiled) {}
