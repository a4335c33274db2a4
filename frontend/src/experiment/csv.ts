/** A table as CSV (RFC 4180): numbers as JavaScript writes them whole, "" for what is not there. */
export type CsvValue = string | number | null | undefined

export function csvOf(rows: readonly (readonly CsvValue[])[]): string {
  return rows.map((row) => row.map(written).join(',') + '\r\n').join('')
}

function written(value: CsvValue): string {
  if (value === null || value === undefined) return ''
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
