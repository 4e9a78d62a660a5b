import { defineContentScript } from 'wxt/utils/define-content-script'
import { helpWithErrands } from '../fill/errand-hands.ts'
import { mercariForm } from '../platforms/mercari/fill.ts'
import { mercariHands } from '../platforms/mercari/hands.ts'
import { lendHands } from '../scrape/hands.ts'

export default defineContentScript({
  matches: ['https://www.mercari.com/*'],
  main(page) {
    void lendHands(page, mercariHands)
    void helpWithErrands(page, mercariHands, mercariForm)
  },
})
