/** Messages of labels, scanning and the shelf check. */
export const shelfMessages = {
  'labels.title': { one: 'Print {n} label', other: 'Print {n} labels' },
  'labels.paper': 'Paper',
  'labels.rolls': 'Label printers',
  'labels.sheets': 'Sheets',
  'labels.first': 'First free label on the sheet',
  'labels.cell': 'Row {row}, column {column}',
  'labels.sheets_needed': { one: '{n} sheet', other: '{n} sheets' },
  'labels.price': 'Print the price',
  'labels.preview': 'The first label',
  'labels.hint': 'Print at actual size, without fitting to the page.',
  'labels.go': 'Download PDF',
  'labels.busy': 'Making the PDF…',
  'labels.done': 'hapax-labels.pdf is in your downloads.',
} as const
