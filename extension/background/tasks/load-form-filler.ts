import type { Browser } from 'webextension-polyfill'

/** Loads the form filler into a marketplace's page. Its tables of words are too large for pages without a form to fill. */
export async function loadFormFiller({ scripting }: Pick<Browser, 'scripting'>, tab: number): Promise<void> {
  await scripting.executeScript({ target: { tabId: tab }, files: ['/form-filler.js'] })
}
