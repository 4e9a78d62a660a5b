import { defineContentScript } from 'wxt/utils/define-content-script'
import { helpWithErrands } from '../fill/errand-hands.ts'
import { depopForm } from '../platforms/depop/fill.ts'
import { depopHands } from '../platforms/depop/hands.ts'
import { lendHands } from '../scrape/hands.ts'

export default defineContentScript({
  matches: ['https://www.depop.com/*'],
  main(page) {
    void lendHands(page, depopHands)
    void helpWithErrands(page, depopHands, depopForm)
  },
})
