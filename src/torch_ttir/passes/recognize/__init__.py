"""What TTIR has whole, recognized where a program spells it out."""
