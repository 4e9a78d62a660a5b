import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { filledFieldsOf } from '#extension/content/form-filler/filled-fields.ts'
import type { FormFiller } from '#extension/content/form-filler/form-filler.ts'
import { depopSteps } from '#extension/platforms/depop/fill.ts'
import { mercariSteps } from '#extension/platforms/mercari/fill.ts'
import { poshmarkSteps } from '#extension/platforms/poshmark/fill.ts'
import { fillForm } from '#extension/platforms/sell-form/form.ts'

const steps = { depop: depopSteps, mercari: mercariSteps, poshmark: poshmarkSteps }

const fill: FormFiller = async (platform, draft, tools, onChange) =>
  filledFieldsOf(await fillForm(steps[platform](draft, tools), (outcomes) => onChange(filledFieldsOf(outcomes))))

// A page that has the form filler keeps it: it remembers what the seller typed and which photos were attached.
export default defineUnlistedScript(() => {
  globalThis.hapaxFormFiller ??= fill
})
