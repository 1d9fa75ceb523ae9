/** All that forms are for. */
import { settingsPurpose } from "../commands/settings-form.ts";
import { linkPurpose } from "../commands/link-form.ts";
import { changeAttachedPurpose, changePurpose, filmPurpose } from "../commands/media-forms.ts";
import { promptPurpose } from "../prompts/form.ts";
import { toolPurpose } from "../tools/form.ts";
import type { FormPurpose } from "./purpose.ts";

export const purposes: readonly FormPurpose[] = [
  settingsPurpose,
  linkPurpose,
  promptPurpose,
  changePurpose,
  changeAttachedPurpose,
  filmPurpose,
  toolPurpose,
];
