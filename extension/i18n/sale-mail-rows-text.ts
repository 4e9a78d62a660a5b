import { createText } from './create-text.ts'
import { saleMailRowsMessages } from './en/sale-mail/rows.ts'

/** Messages about sale mail on other screens, which are there from the start. */
export const { text: saleMailRowsText } = createText(saleMailRowsMessages)
