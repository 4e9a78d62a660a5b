import { defineContentScript } from 'wxt/utils/define-content-script'
import { helpWithErrands } from '#extension/content/form-filler/task-assistant.ts'
import { lendHands } from '#extension/content/scraper/page-fetcher.ts'
import { mercariForm } from '#extension/platforms/mercari/fill.ts'
import { mercariHands } from '#extension/platforms/mercari/page-probe.ts'

export default defineContentScript({
  matches: ['https://www.mercari.com/*'],
  main(page) {
    void lendHands(page, mercariHands)
    void helpWithErrands(page, mercariHands, mercariForm)
  },
})
