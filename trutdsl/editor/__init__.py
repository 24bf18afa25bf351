"""The language server: what an editor shows of variants, scripts and scenarios."""
