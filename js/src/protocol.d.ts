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
	wall_time_s: number;
	kind: string;
	text: string;
	metric?: string;
	track: string;
};

export type Reference = {
	metric: string;
	value: number;
	label: string;
};

export type AlertInfo = {
	rule: string;
	step: number;
	wall_time_s: number;
	rank: number;
	severity: "info" | "warning" | "error";
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

export type CommandKind = "ask_save" | "ask_log_interval";

export type Command = {
	kind: "ask_save" | "ask_log_interval";
	state: "" | "waiting" | "done" | "failed";
	step: number | null;
	text: string;
	value: number | null;
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
	commands: Command[];
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
	odd: string;
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
	references: Reference[];
	alerts: AlertInfo[];
	alert_count: number;
	notices: string[];
	tracks: Track[];
	silence: Silence;
};

export type Key = "step" | "time" | "epoch";

export type Extent = {
	track: string;
	rows: number;
	step: [number, number] | null;
	time: [number, number] | null;
	epoch: [number, number] | null;
};

export type Piece = {
	row: number;
	kept: boolean;
	attempt: string;
	count: number;
};

export type Extract = {
	track: string;
	metric: string;
	key: "step" | "time" | "epoch";
	weight: number;
	level: number | null;
	begin: number;
	end: number;
	goes_on: boolean;
	nonfinite: boolean;
	pieces: Piece[];
	left_out: number;
};

export type Want = {
	track: string;
	metrics: string[];
	key: "step" | "time" | "epoch";
	begin: number | null;
	end: number | null;
	level: number;
	points: number;
	weight: number;
};

export type AskView = {
	kind: "ask_view";
	id: string;
	after: string;
	page: string;
	wants: Want[];
	track: string;
	summaries: string[];
};

export type ViewEnd = {
	track: string;
	key: "step" | "time" | "epoch";
	end: number;
};

export type View = {
	kind: "view";
	id: string;
	page: string;
	seq: number;
	whole: boolean;
	extracts: Extract[];
	ends: ViewEnd[];
};

export type Summaries = {
	kind: "summaries";
	id: string;
	page: string;
	track: string;
};

export type Listed = "metrics" | "marks" | "references" | "alerts" | "notices" | "tracks" | "extents";

export type ListPart = {
	name: "metrics" | "marks" | "references" | "alerts" | "notices" | "tracks" | "extents";
	start: number;
	length: number;
	items: (MetricInfo | Mark | Reference | AlertInfo | string | Track | Extent)[];
};

export type News = {
	kind: "news";
	seq: number;
	status: Status;
	alert_count: number;
	run?: RunInfo;
	parts: ListPart[];
};

export type Bundle = {
	kind: "bundle";
	messages: (News | View | Summaries)[];
};

export type Ack = {
	kind: "ack";
	id: string;
	ok: boolean;
	text: string;
};

export type SavedColumn = {
	metric: string;
	count: number;
};

export type SavedTrack = {
	id: string;
	rows: number;
	attempts: string[];
	columns: SavedColumn[];
	extracts: Extract[];
};

export type SavedPage = {
	edition: string;
	every_s: number;
	head: Head;
	extents: Extent[];
	tracks: SavedTrack[];
};

export type AskStop = {
	kind: "ask_stop";
	id: string;
};

export type AskSave = {
	kind: "ask_save";
	id: string;
};

export type AskLogInterval = {
	kind: "ask_log_interval";
	id: string;
	steps: number;
};

export type AskHead = {
	kind: "ask_head";
	id: string;
};

export type AskTracks = {
	kind: "ask_tracks";
	id: string;
	shown: string[];
};

export type Kept = {
	extracts: Extract[];
	buffer: DataView;
};

export type State = {
	asset: string;
	companion: string;
	head: Head;
	extents: Extent[];
	seq: number;
	kept_1: Kept;
	kept_2: Kept;
	kept_3: Kept;
};

export type Down = Bundle | Ack;

export type Up = AskView | AskHead | AskStop | AskSave | AskLogInterval | AskTracks;

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
