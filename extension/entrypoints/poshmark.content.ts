import { defineContentScript } from 'wxt/utils/define-content-script'
import { helpWithErrands } from '#extension/content/form-filler/task-assistant.ts'
import { lendHands } from '#extension/content/scraper/page-fetcher.ts'
import { poshmarkForm } from '#extension/platforms/poshmark/fill.ts'
import { poshmarkClues } from '#extension/platforms/poshmark/selectors.ts'

export default defineContentScript({
  matches: ['https://poshmark.com/*'],
  main(page) {
    void lendHands(page, poshmarkClues)
    void helpWithErrands(page, poshmarkClues, poshmarkForm)
  },
})
