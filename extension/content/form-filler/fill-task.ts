import { text } from '#extension/i18n/content-text.ts'
import type { SellForm } from '#extension/platforms/sell-form/form.ts'
import type { ListingDraft } from '#extension/platforms/sell-form/listing-draft.ts'
import { one, waitFor } from '#extension/platforms/sell-form/touch.ts'
import type {} from './form-filler.ts'
import type { Panel } from './panel.ts'
import { fetchPictures } from './pictures.ts'
import { errorText, sendWithRetry } from './send-with-retry.ts'
import { endedView, type FilledForm, filledView, fillingView, notFilledView, type TaskActions } from './task-views.ts'

/** How long a form may take to render, in ms. */
const drawnInMs = 15_000

/** Fills the form of this page for a task and shows the progress. Returns the filled form, or null if it was not filled. */
export async function fillTask(
  task: string,
  title: string,
  page: { form: SellForm; panel: Panel; actions: TaskActions; account: () => Promise<string | null> },
): Promise<FilledForm | null> {
  const { form, panel, actions, account } = page
  const notFilled = (status: string) => {
    panel.show(notFilledView(task, title, status, actions))
    return null
  }
  panel.show({ tone: 'plain', status: text('fill.filling', { title }) })
  if (!(await waitFor(() => one(form.ready), drawnInMs))) return notFilled(text('fill.no_form'))
  let draft: ListingDraft
  try {
    draft = await sendWithRetry('page.listingDraft', { task })
  } catch (error) {
    return notFilled(text('fill.failed', { reason: errorText(error) }))
  }
  const tools = { pictures: (max: number) => fetchPictures(task, max), account }
  const fields = await globalThis.hapaxFormFiller!(form.platform, draft, tools, (some) =>
    panel.show(fillingView(draft.title, some)),
  )
  const { current } = await sendWithRetry('page.filled', { task })
  if (!current) {
    panel.hide()
    return null
  }
  const filled = { current, fields }
  panel.show(current.open ? filledView(filled, form, actions) : endedView(current, actions))
  return filled
}
