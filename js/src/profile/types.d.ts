/** The traits of `mswidget.widget.profile_widget.ProfileWidget`. */
export interface ProfileState {
	asset: string;
	companion: string;
	overview: Overview;
}

/** As of `mswidget.profiler.view.overview`. */
export interface Overview {
	path: string;
	report: string;
	findings: { level: "info" | "warn"; title: string; advice: string }[];
	tables: string[];
	ranks: number[];
	steps: number[];
	trace_mb: number;
}

/** As of `mswidget.profiler.page.Page`. */
export interface Page {
	columns: string[];
	rows: string[][];
	numeric: boolean[];
	matching: number;
	total: number;
	page: number;
	size: number;
}

/** A figure of plotly.py; `meta` as of `mswidget.profiler.gantt`. */
export interface Figure {
	data: object[];
	layout: {
		xaxis?: object;
		yaxis?: object;
		meta?: { begin_ns: string; merged: boolean };
	};
}
