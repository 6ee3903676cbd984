"""What tools do, each written once, whatever a dialect calls it."""
