/** Hands a file to the browser's downloads. */
export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser needs it until it has begun.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Rows as a CSV file. Cells that a spreadsheet would take for a formula are guarded as the API's exports guard them. */
export function saveCsv(name: string, rows: (string | number)[][]): void {
  const lines = rows.map((row) => row.map(cellOf).join(','));
  saveBlob(name, new Blob([`\ufeff${lines.join('\r\n')}\r\n`], { type: 'text/csv' }));
}

function cellOf(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
