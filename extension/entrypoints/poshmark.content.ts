import { defineContentScript } from 'wxt/utils/define-content-script'
import { helpWithErrands } from '../fill/errand-hands.ts'
import { poshmarkForm } from '../platforms/poshmark/fill.ts'
import { poshmarkClues } from '../platforms/poshmark/selectors.ts'
import { lendHands } from '../scrape/hands.ts'

export default defineContentScript({
  matches: ['https://poshmark.com/*'],
  main(page) {
    void lendHands(page, poshmarkClues)
    void helpWithErrands(page, poshmarkClues, poshmarkForm)
  },
})
