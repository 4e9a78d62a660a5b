import { defineContentScript } from 'wxt/utils/define-content-script'
import { helpWithErrands } from '#extension/content/form-filler/task-assistant.ts'
import { lendHands } from '#extension/content/scraper/page-fetcher.ts'
import { depopForm } from '#extension/platforms/depop/fill.ts'
import { depopHands } from '#extension/platforms/depop/page-probe.ts'

export default defineContentScript({
  matches: ['https://www.depop.com/*'],
  main(page) {
    void lendHands(page, depopHands)
    void helpWithErrands(page, depopHands, depopForm)
  },
})
