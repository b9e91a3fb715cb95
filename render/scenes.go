package render

// Each of these packages registers its scenes.
import (
	_ "logzlab/render/chain"
	_ "logzlab/render/formation"
	_ "logzlab/render/function"
	_ "logzlab/render/graph"
	_ "logzlab/render/ladder"
	_ "logzlab/render/means"
	_ "logzlab/render/noise"
	_ "logzlab/render/plane"
	_ "logzlab/render/posterior"
	_ "logzlab/render/race"
	_ "logzlab/render/resampling"
	_ "logzlab/render/schedules"
	_ "logzlab/render/series"
	_ "logzlab/render/trace"
	_ "logzlab/render/training"
	_ "logzlab/render/travel"
	_ "logzlab/render/units"
)
