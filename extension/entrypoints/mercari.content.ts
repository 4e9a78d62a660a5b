import { defineContentScript } from 'wxt/utils/define-content-script'
import { mercariHands } from '../platforms/mercari/hands.ts'
import { lendHands } from '../scrape/hands.ts'

export default defineContentScript({
  matches: ['https://www.mercari.com/*'],
  main: (page) => lendHands(page, mercariHands),
})
