import { describe, expect, it } from "vitest";
import { status } from "../../test/samples.js";
import { emptyText } from "./empty_text.js";

describe("emptyText", () => {
	it("explains a long compilation", () => {
		expect(emptyText(status({ phase: "compiling" }))).toContain(
			"can take minutes",
		);
	});
});
