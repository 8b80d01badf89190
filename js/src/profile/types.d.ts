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
