// Made by `python -m mswidget.widget.typescript > js/src/protocol.d.ts`; do not edit.

export type Phase = "waiting" | "compiling" | "training" | "evaluating" | "saving" | "stopped" | "failed" | "finished" | "lost";

export type MetricInfo = {
	name: string;
	label: string;
	unit: string;
	better: "lower" | "higher" | "";
	panel: string;
};

export type Mark = {
	step: number;
	kind: string;
	text: string;
	metric?: string;
	track: string;
};

export type AlertInfo = {
	rule: string;
	step: number;
	wall_time_s: number;
	rank: number;
	severity: "warning" | "error";
	metric: string;
	message: string;
	advice: string;
	track: string;
};

export type RunInfo = {
	name: string;
	path: string;
	rank: number;
	attempt: string;
};

export type Status = {
	phase: "waiting" | "compiling" | "training" | "evaluating" | "saving" | "stopped" | "failed" | "finished" | "lost";
	phase_since_s: number;
	started_s: number;
	begun_s: number;
	sent_s: number;
	step: number | null;
	total_steps: number | null;
	epoch: number | null;
	total_epochs: number | null;
	steps_per_epoch: number | null;
	steps_per_s: number | null;
	last_value_s: number | null;
	last_step_s: number | null;
	usual_step_s: number | null;
	stop: "" | "requested" | "obeyed";
	stoppable: boolean;
	controls: boolean;
	detail: string;
};

export type Stat = "" | "min" | "mean" | "median" | "max";

export type Track = {
	id: string;
	run: string;
	rank: number;
	stat: "" | "min" | "mean" | "median" | "max";
	label: string;
	colour: number;
	shown: boolean;
	phase: "waiting" | "compiling" | "training" | "evaluating" | "saving" | "stopped" | "failed" | "finished" | "lost";
	step: number | null;
	started_s: number;
	last_value_s: number | null;
	steps_per_epoch: number | null;
	samples_per_step: number | null;
	tokens_per_step: number | null;
	note: string;
};

export type Silence = {
	rank_s: number;
	step_times: number;
	step_s: number;
	kernel_s: number;
};

export type Head = {
	run: RunInfo;
	status: Status;
	metrics: MetricInfo[];
	marks: Mark[];
	alerts: AlertInfo[];
	alert_count: number;
	notices: string[];
	tracks: Track[];
	silence: Silence;
};

export type Column = {
	metric: string;
	count: number;
};

export type Block = {
	start: number;
	stop: number;
	count: number;
	reduced: boolean;
	columns: Column[];
};

export type State = {
	asset: string;
	companion: string;
	head: Head;
	seq: number;
	snapshot_block: Block;
	snapshot: DataView;
};

export type Delta = {
	kind: "delta";
	seq: number;
	block: Block;
	status: Status;
	head?: Head;
};

export type Rows = {
	kind: "rows";
	id: string;
	block: Block;
};

export type Ack = {
	kind: "ack";
	id: string;
	ok: boolean;
	text: string;
};

export type AskRows = {
	kind: "ask_rows";
	id: string;
	start: number;
	stop: number;
};

export type AskStop = {
	kind: "ask_stop";
	id: string;
};

export type Down = Delta | Rows | Ack;

export type AskTracks = {
	kind: "ask_tracks";
	id: string;
	shown: string[];
};

export type Up = AskRows | AskStop | AskTracks;

export type Remark = {
	level: "info" | "warn";
	title: string;
	advice: string;
};

export type Overview = {
	path: string;
	report: string;
	findings: Remark[];
	pictures: Record<string, string>;
	tables: string[];
	ranks: number[];
	steps: number[];
	trace_mb: number;
};

export type ProfileState = {
	asset: string;
	companion: string;
	overview: Overview;
};

export type TablePage = {
	columns: string[];
	rows: string[][];
	numeric: boolean[];
	matching: number;
	total: number;
	page: number;
	size: number;
};

export type AskTable = {
	kind: "ask_table";
	id: string;
	name: string;
	sort: string;
	descending: boolean;
	search: string;
	page: number;
};

export type AskTimeline = {
	kind: "ask_timeline";
	id: string;
	rank?: number;
	step?: number;
	start_ns?: string;
	end_ns?: string;
};

export type TableAnswer = {
	kind: "table";
	id: string;
	page: TablePage;
};

export type TimelineAnswer = {
	kind: "timeline";
	id: string;
	figure: string;
};

export type FigureMeta = {
	reason?: string;
	begin_ns?: string;
	merged?: boolean;
};

export type Refusal = {
	kind: "refusal";
	id: string;
	text: string;
};

export type ProfileDown = TableAnswer | TimelineAnswer | Refusal;

export type ProfileUp = AskTable | AskTimeline;
