"""Where the one-folder build begins."""

from keepsake_desk.ui.main import main

if __name__ == "__main__":
    main()
