package flow

func (a *analysis) judgeUnended() {}
