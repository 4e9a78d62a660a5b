import type { Tools } from '#extension/platforms/sell-form/form.ts'
import type { ListingDraft } from '#extension/platforms/sell-form/listing-draft.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'
import type { FilledFields } from './filled-fields.ts'

/** Fills the form of a platform, and reports its fields as they come. */
export type FormFiller = (
  platform: ExtensionSlug,
  draft: ListingDraft,
  tools: Tools,
  onChange: (fields: FilledFields) => void,
) => Promise<FilledFields>

declare global {
  /** Set in a tab where the worker has loaded the form filler, whose tables no other page needs. */
  var hapaxFormFiller: FormFiller | undefined
}
