import { defineContentScript } from 'wxt/utils/define-content-script'
import { depopHands } from '../platforms/depop/hands.ts'
import { lendHands } from '../scrape/hands.ts'

export default defineContentScript({
  matches: ['https://www.depop.com/*'],
  main: (page) => lendHands(page, depopHands),
})
